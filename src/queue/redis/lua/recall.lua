-- recall: position, least lines, keep-s   -> the deepest result with so many lines, or nothing
local key = P .. 'pos:' .. ARGV[1]
local found, depth = false, -1
local all = redis.call('HGETALL', key)
for i = 1, #all, 2 do
    local d, text = string.match(all[i + 1], '^(%d+) (.*)$')
    if tonumber(all[i]) >= tonumber(ARGV[2]) and tonumber(d) > depth then
        found, depth = text, tonumber(d)
    end
end
if found then
    redis.call('EXPIRE', key, ARGV[3])
    redis.call('ZADD', P .. 'known', now(), ARGV[1])
end
return found
