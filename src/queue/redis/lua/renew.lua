-- renew: lease-ms | id epoch ...   -> for each 1: yours, 0: not any more (taken back, finished, or nobody wants it)
local lease, at, answer = tonumber(ARGV[1]), now(), {}
for i = 2, #ARGV, 2 do
    local id = ARGV[i]
    local j = redis.call('HMGET', P .. 'job:' .. id, 'epoch', 'state', 'live')
    local held = j[1] == ARGV[i + 1] and j[2] == 'leased'
    if held and j[3] == '1' and not wanted(id, at) then
        remove(id)
        count('lapsed')
        held = false
    elseif held then
        redis.call('ZADD', P .. 'leased', at + lease, id)
    end
    answer[#answer + 1] = held and 1 or 0
end
return answer
