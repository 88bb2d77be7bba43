-- remember: position, lines, depth, text, keep-s, most positions. The deeper result stays.
local key, at = P .. 'pos:' .. ARGV[1], now()
local old = redis.call('HGET', key, ARGV[2])
if old and tonumber(string.match(old, '^%d+')) > tonumber(ARGV[3]) then return 0 end
redis.call('HSET', key, ARGV[2], ARGV[3] .. ' ' .. ARGV[4])
redis.call('EXPIRE', key, ARGV[5])
redis.call('ZADD', P .. 'known', at, ARGV[1])
redis.call('ZREMRANGEBYSCORE', P .. 'known', '-inf', at - ARGV[5] * 1000)
for _ = 1, 8 do
    if redis.call('ZCARD', P .. 'known') <= tonumber(ARGV[6]) then break end
    redis.call('DEL', P .. 'pos:' .. redis.call('ZPOPMIN', P .. 'known')[1])
end
return 1
