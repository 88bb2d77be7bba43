-- tell: id epoch text: a partial result, kept for those who join later and sent to those who wait.
local id = ARGV[1]
local j = redis.call('HMGET', P .. 'job:' .. id, 'epoch', 'state')
if j[1] ~= ARGV[2] or j[2] ~= 'leased' then return 0 end
redis.call('HSET', P .. 'job:' .. id, 'part', ARGV[3])
tell(id, 'part', ARGV[3])
return 1
