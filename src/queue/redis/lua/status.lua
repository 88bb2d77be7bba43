-- status -> name, value, name, value, ...
local at, answer = now(), {}
local function put(name, value)
    answer[#answer + 1] = name
    answer[#answer + 1] = tostring(value)
end
for class = 0, CLASSES - 1 do
    local oldest = redis.call('ZRANGE', P .. 'waiting:' .. class, 0, 0, 'WITHSCORES')
    put('waiting ' .. class, redis.call('ZCARD', P .. 'waiting:' .. class))
    put('age_ms ' .. class, string.format('%.0f', oldest[2] and at - tonumber(oldest[2]) or 0))
end
put('leased', redis.call('ZCARD', P .. 'leased'))
put('dead_letters', redis.call('ZCARD', P .. 'dead'))
put('kept', redis.call('ZCARD', P .. 'done'))
put('known', redis.call('ZCARD', P .. 'known'))
put('owners', redis.call('HLEN', P .. 'out'))
local workers = redis.call('HGETALL', P .. 'workers')
for i = 1, #workers, 2 do
    local seen, what = string.match(workers[i + 1], '^(%d+) (.*)$')
    if at - tonumber(seen) > 15000 then
        redis.call('HDEL', P .. 'workers', workers[i])
    else
        put('worker', workers[i] .. ' ' .. what)
    end
end
for _, lane in ipairs(redis.call('SMEMBERS', P .. 'lanes')) do
    local waiting = redis.call('ZCARD', P .. 'ready:' .. lane)
    if waiting > 0 then put('lane ' .. lane, waiting) end
end
local counters = redis.call('HGETALL', P .. 'count')
for i = 1, #counters, 2 do put('total ' .. counters[i], counters[i + 1]) end
return answer
