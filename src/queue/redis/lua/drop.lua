-- drop: id, or '' for all of the dead-letter list   -> how many
local ids, done = ARGV[1] == '' and redis.call('ZRANGE', P .. 'dead', 0, 999) or { ARGV[1] }, 0
for _, id in ipairs(ids) do
    local state = redis.call('HGET', P .. 'job:' .. id, 'state')
    if state == 'dead' then
        redis.call('ZREM', P .. 'dead', id)
        redis.call('DEL', P .. 'job:' .. id, P .. 'fronts:' .. id)
        done = done + 1
    elseif state == 'ready' or state == 'leased' then
        tell(id, 'dead', 'it was dropped by hand')
        remove(id)
        done = done + 1
    end
end
return done
