-- touch: front, interest-ms, nonce | id ...   -> who this Redis is, then for each job its state and text
-- The nonce names a Redis that has no name yet: after a wipe the name is another one, and front doors notice.
local at = now()
redis.call('SET', P .. 'born', ARGV[3], 'NX')
local answer = { redis.call('GET', P .. 'born') }
for i = 4, #ARGV do
    local j = redis.call('HMGET', P .. 'job:' .. ARGV[i], 'state', 'result', 'reason', 'part')
    local state = j[1] or 'gone'
    if state == 'ready' or state == 'leased' then
        redis.call('HSET', P .. 'fronts:' .. ARGV[i], ARGV[1], at + tonumber(ARGV[2]))
    end
    answer[#answer + 1] = state
    answer[#answer + 1] = state == 'done' and j[2] or state == 'dead' and j[3] or j[4] or ''
end
return answer
