-- common.lua: stands before every script. Names of keys, time, and what several scripts do.
--
--   job:ID      hash   kind, needs, owner, class, cost, live, payload, state, lane, score, made, tries, epoch, worker,
--                      part (newest partial result), result, by, reason
--   fronts:ID   hash   front doors that wait for the job -> until when they want it (ms)
--   ready:LANE  zset   waiting jobs; score = class x 2^44 + virtual time. A lane is 'kind|engine that is needed'
--   waiting:C   zset   the same jobs by class, score = when they came: depth and age
--   leased      zset   jobs under work; score = when the lease ends, by the clock of Redis and no other
--   claims      hash   worker -> the job that it has, so that an answer lost on the way is given again
--   vt, ovt:C   hash   virtual time of each class, and where each owner's last job in it ends
--   out         hash   owner -> unfinished jobs
--   dead, done  zset   jobs by when they ended; members of done are 'ID:bytes'
--   bell:LANE   list   one token for each job that came: idle workers sleep on it
--   count       hash   counters since the beginning
local P = '{samara}:'
local CLASS = 2 ^ 44
local CLASSES = 3

local function now()
    local t = redis.call('TIME')
    return t[1] * 1000 + math.floor(t[2] / 1000)
end

local function count(name, n)
    redis.call('HINCRBY', P .. 'count', name, n or 1)
end

-- Sends an event to every front door that waits for the job.
local function tell(id, event, text)
    for _, front in ipairs(redis.call('HKEYS', P .. 'fronts:' .. id)) do
        redis.call('PUBLISH', P .. 'front:' .. front, id .. '\n' .. event .. '\n' .. text)
    end
end

-- Whether a front door still wants the job. They say so again every second or two.
local function wanted(id, at)
    for _, til in ipairs(redis.call('HVALS', P .. 'fronts:' .. id)) do
        if tonumber(til) > at then return true end
    end
    return false
end

-- An owner without unfinished jobs is forgotten: all of its virtual time has passed.
local function settle(owner)
    if redis.call('HINCRBY', P .. 'out', owner, -1) > 0 then return end
    redis.call('HDEL', P .. 'out', owner)
    for class = 0, CLASSES - 1 do redis.call('HDEL', P .. 'ovt:' .. class, owner) end
end

local function make_ready(id)
    local j = redis.call('HMGET', P .. 'job:' .. id, 'lane', 'score', 'class', 'made')
    redis.call('HSET', P .. 'job:' .. id, 'state', 'ready')
    redis.call('ZADD', P .. 'ready:' .. j[1], j[2], id)
    redis.call('ZADD', P .. 'waiting:' .. j[3], j[4], id)
    redis.call('LPUSH', P .. 'bell:' .. j[1], 1)
    redis.call('LTRIM', P .. 'bell:' .. j[1], 0, 255)
end

-- Out of whatever list it stands in.
local function take_out(id)
    local j = redis.call('HMGET', P .. 'job:' .. id, 'lane', 'class', 'worker')
    redis.call('ZREM', P .. 'ready:' .. j[1], id)
    redis.call('ZREM', P .. 'waiting:' .. j[2], id)
    redis.call('ZREM', P .. 'leased', id)
    if j[3] and redis.call('HGET', P .. 'claims', j[3]) == id then
        redis.call('HDEL', P .. 'claims', j[3])
    end
end

-- Forgets an unfinished job.
local function remove(id)
    take_out(id)
    settle(redis.call('HGET', P .. 'job:' .. id, 'owner'))
    redis.call('DEL', P .. 'job:' .. id, P .. 'fronts:' .. id)
end

local function bury(id, reason, at)
    take_out(id)
    settle(redis.call('HGET', P .. 'job:' .. id, 'owner'))
    redis.call('HSET', P .. 'job:' .. id, 'state', 'dead', 'reason', reason)
    redis.call('ZADD', P .. 'dead', at, id)
    tell(id, 'dead', reason)
    redis.call('DEL', P .. 'fronts:' .. id)
    count('dead')
    if redis.call('ZCARD', P .. 'dead') > 10000 then
        redis.call('DEL', P .. 'job:' .. redis.call('ZPOPMIN', P .. 'dead')[1])
    end
end

-- An attempt failed: back into the queue, or out of it after so many.
local function failed(id, reason, attempts, at)
    if redis.call('HINCRBY', P .. 'job:' .. id, 'tries', 1) >= attempts then
        bury(id, reason, at)
    else
        take_out(id)
        redis.call('HSET', P .. 'job:' .. id, 'reason', reason)
        make_ready(id)
        count('retried')
    end
end
