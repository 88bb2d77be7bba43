-- list: state (ready, leased, done, dead), most   -> for each job nine fields, see queue.h
local at, answer, ids = now(), {}, {}
local function add(key)
    for _, member in ipairs(redis.call('ZRANGE', key, 0, ARGV[2] - 1)) do ids[#ids + 1] = member end
end
if ARGV[1] == 'ready' then
    for class = 0, CLASSES - 1 do add(P .. 'waiting:' .. class) end
else
    add(P .. ARGV[1])
end
for i, member in ipairs(ids) do
    if i > tonumber(ARGV[2]) then break end
    local id = string.match(member, '^[^:]*')
    local j = redis.call('HMGET', P .. 'job:' .. id, 'kind', 'state', 'owner', 'class', 'tries', 'made', 'worker', 'reason')
    if j[1] then
        for _, text in ipairs({ id, j[1], j[2], j[3], j[4], j[5], string.format('%.0f', at - tonumber(j[6])), j[7] or '',
            j[8] or '' }) do
            answer[#answer + 1] = text
        end
    end
end
return answer
