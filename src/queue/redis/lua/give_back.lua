-- give_back: id epoch attempts counts reason: the worker ends (counts = 0) or failed (counts = 1).
local id, at = ARGV[1], now()
local j = redis.call('HMGET', P .. 'job:' .. id, 'epoch', 'state')
if j[1] ~= ARGV[2] or j[2] ~= 'leased' then return 0 end
if ARGV[4] == '1' then
    failed(id, ARGV[5], tonumber(ARGV[3]), at)
else
    take_out(id)
    make_ready(id)
    count('returned')
end
return 1
