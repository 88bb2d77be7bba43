-- retry: id ('' : all) of the dead-letter list   -> how many
local ids, done = ARGV[1] == '' and redis.call('ZRANGE', P .. 'dead', 0, 999) or { ARGV[1] }, 0
for _, id in ipairs(ids) do
    if redis.call('ZREM', P .. 'dead', id) == 1 then
        local owner = redis.call('HGET', P .. 'job:' .. id, 'owner')
        redis.call('HSET', P .. 'job:' .. id, 'tries', 0, 'live', 0)
        redis.call('HINCRBY', P .. 'out', owner, 1)
        make_ready(id)
        done = done + 1
    end
end
return done
