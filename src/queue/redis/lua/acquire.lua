-- acquire: worker, lease-ms, attempts | lanes
-- First returns what vanished workers left behind, then hands out the job of least score in the worker's lanes.
local worker, lease, attempts = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local at = now()

for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'leased', '-inf', at, 'LIMIT', 0, 16)) do
    failed(id, 'its worker vanished', attempts, at)
end

local function give(id)
    local j = redis.call('HMGET', P .. 'job:' .. id, 'epoch', 'kind', 'payload', 'tries', 'live', 'owner')
    redis.call('ZADD', P .. 'leased', at + lease, id)
    return { id, tonumber(j[1]), j[2], j[3], tonumber(j[4]), tonumber(j[5]) }
end

-- The worker asks although it has a job: the answer that gave it was lost on the way.
local mine = redis.call('HGET', P .. 'claims', worker)
if mine and redis.call('HGET', P .. 'job:' .. mine, 'worker') == worker and redis.call('ZSCORE', P .. 'leased', mine) then
    return give(mine)
end

for _ = 1, 64 do
    local best, lane, score
    for i = 4, #ARGV do
        local head = redis.call('ZRANGE', P .. 'ready:' .. ARGV[i], 0, 0, 'WITHSCORES')
        if head[1] and (not score or tonumber(head[2]) < score) then
            best, lane, score = head[1], ARGV[i], tonumber(head[2])
        end
    end
    if not best then return false end
    local j = redis.call('HMGET', P .. 'job:' .. best, 'class', 'vt', 'live')
    if not j[1] then
        redis.call('ZREM', P .. 'ready:' .. lane, best)
    elseif j[3] == '1' and not wanted(best, at) then
        remove(best)
        count('lapsed')
    else
        take_out(best)
        if tonumber(j[2]) > tonumber(redis.call('HGET', P .. 'vt', j[1]) or 0) then
            redis.call('HSET', P .. 'vt', j[1], j[2])
        end
        redis.call('HINCRBY', P .. 'job:' .. best, 'epoch', 1)
        redis.call('HSET', P .. 'job:' .. best, 'state', 'leased', 'worker', worker)
        redis.call('HSET', P .. 'claims', worker, best)
        count('deliveries')
        return give(best)
    end
end
return false
