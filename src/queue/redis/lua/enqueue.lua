-- enqueue: id kind needs owner class cost live payload | front until-ms | most waiting, most of one owner
-- Start-time fair queueing: a job begins, in virtual time, when its class stands there and its owner's job before it has
-- ended. So an owner with many jobs waits behind itself, and whoever comes with one job is next.
local id, kind, needs, owner, class, cost, live, payload = unpack(ARGV, 1, 8)
local front, interest, most, most_own = ARGV[9], tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12])
local j, at = P .. 'job:' .. id, now()
local known = redis.call('HMGET', j, 'state', 'result', 'reason')

if known[1] == 'done' then return { 'done', known[2] } end
if known[1] == 'dead' then return { 'dead', known[3] } end
if not known[1] then
    local waiting = 0
    for c = 0, CLASSES - 1 do waiting = waiting + redis.call('ZCARD', P .. 'waiting:' .. c) end
    if waiting >= most then
        count('refused')
        return { 'full', '' }
    end
    if tonumber(redis.call('HGET', P .. 'out', owner) or 0) >= most_own then
        count('refused')
        return { 'owner_full', '' }
    end
end
if front ~= '' then
    redis.call('HSET', P .. 'fronts:' .. id, front, at + interest)
end
if known[1] then return { known[1], '' } end

local lane = kind .. '|' .. needs
local own = tonumber(redis.call('HGET', P .. 'ovt:' .. class, owner) or 0)
local vt = math.max(own, tonumber(redis.call('HGET', P .. 'vt', class) or 0))
redis.call('HSET', P .. 'ovt:' .. class, owner, vt + tonumber(cost))
redis.call('HINCRBY', P .. 'out', owner, 1)
redis.call('SADD', P .. 'lanes', lane)
redis.call('HSET', j, 'kind', kind, 'needs', needs, 'owner', owner, 'class', class, 'live', live, 'payload', payload,
    'lane', lane, 'vt', vt, 'score', string.format('%.0f', tonumber(class) * CLASS + vt), 'made', at, 'tries', 0, 'epoch', 0)
make_ready(id)
count('enqueued')
return { 'ready', '' }
