-- finish: id, result, worker, positions, nodes, keep-s, most bytes | lanes   -> 1: it counts, 0: it was finished already
-- The first result counts, whoever brings it: equal work gives equal results. Who comes later changes nothing.
local id, result, worker = ARGV[1], ARGV[2], ARGV[3]
local keep, most, at = tonumber(ARGV[6]), tonumber(ARGV[7]), now()
local j = P .. 'job:' .. id
local job = redis.call('HMGET', j, 'state', 'needs', 'owner', 'lane')
if not job[1] or job[1] == 'done' then
    count('late')
    return 0
end
local serves = false
for i = 8, #ARGV do serves = serves or ARGV[i] == job[4] end
if not serves then return redis.error_reply('ENGINE the job needs ' .. job[2]) end
take_out(id)
if job[1] == 'dead' then redis.call('ZREM', P .. 'dead', id) else settle(job[3]) end
redis.call('HSET', j, 'state', 'done', 'result', result, 'by', worker)
redis.call('HINCRBY', j, 'commits', 1)
redis.call('HDEL', j, 'payload', 'part')
redis.call('EXPIRE', j, keep)
tell(id, 'done', result)
redis.call('DEL', P .. 'fronts:' .. id)
count('done')
count('positions', ARGV[4])
count('nodes', ARGV[5])

-- Finished jobs beyond their time or their ceiling go, oldest first.
local function forget(member)
    local name, bytes = string.match(member, '^(.*):(%d+)$')
    redis.call('ZREM', P .. 'done', member)
    redis.call('DEL', P .. 'job:' .. name)
    count('bytes', 0 - tonumber(bytes)) -- an empty result: -0 is no number for Redis
end
redis.call('ZADD', P .. 'done', at, id .. ':' .. #result)
count('bytes', #result)
for _, member in ipairs(redis.call('ZRANGEBYSCORE', P .. 'done', '-inf', at - keep * 1000, 'LIMIT', 0, 8)) do
    forget(member)
end
for _ = 1, 8 do
    if tonumber(redis.call('HGET', P .. 'count', 'bytes')) <= most then break end
    local oldest = redis.call('ZRANGE', P .. 'done', 0, 0)[1]
    if not oldest or oldest == id .. ':' .. #result then break end
    forget(oldest)
end
return 1
