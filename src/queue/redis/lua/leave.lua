-- leave: front, id ...: the front door's client is gone. A live job that nobody else waits for ends.
local at = now()
for i = 2, #ARGV do
    local id = ARGV[i]
    redis.call('HDEL', P .. 'fronts:' .. id, ARGV[1])
    local j = redis.call('HMGET', P .. 'job:' .. id, 'state', 'live')
    if (j[1] == 'ready' or j[1] == 'leased') and j[2] == '1' and not wanted(id, at) then
        remove(id)
        count('cancelled')
    end
end
return 1
