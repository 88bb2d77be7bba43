-- hello: worker, what to show of it. Said every few seconds.
redis.call('HSET', P .. 'workers', ARGV[1], now() .. ' ' .. ARGV[2])
return 1
