-- The story of tests/editors/editor_story.py, as a person plays it.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')
local check = session.check

local COMMAND = 'python3 weather_tools.py'

--- The code of each diagnostic of a buffer, in order.
local function codes(buffer)
  return vim.tbl_map(function(found) return found.code end, session.diagnostics(buffer))
end

--- Waits for exactly these codes.
local function has(buffer, wanted)
  return session.wait(function() return vim.deep_equal(codes(buffer), wanted) end)
end

--- Chooses what `gra` offers at a place of the current buffer.
local function fix(pattern, title)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.fn.search(pattern, 'cW')
  local before = #session.questions
  session.answer = title
  vim.api.nvim_feedkeys('gra', 'x', false)
  session.wait(function() return #session.questions > before end)
  local question = session.questions[#session.questions]
  check('what is offered is ' .. title, vim.list_contains(question.titles, title), question)
end

--- The states that the lenses of the file tell of, in order.
local function states(buffer)
  local found = {}
  for _, titles in vim.spairs(session.lenses(buffer)) do
    table.insert(found, titles[1])
  end
  return found
end

local function shows(buffer, wanted)
  return session.wait(function() return vim.deep_equal(states(buffer), wanted) end)
end

local FITS = 'fits · ' .. COMMAND

session.run(function()
  local status = require('flow_lsp').status
  local weather = vim.api.nvim_get_current_buf()
  local client = session.client(weather)

  -- 1. Nothing is bound.
  check('both Tools are unbound', has(weather, { 'unbound-no-manifest', 'unbound-no-manifest' }), codes(weather))
  check('which the status line says', session.wait(function() return status() == 'flow: 2 unfit' end), status())
  check('nothing is asked', #session.questions == 0, session.questions)

  -- 2. A manifest.
  fix([[fn \zsforecast]], 'Create flow.toml beside this file, with a table for this file')
  local manifest = session.wait(function()
    local found = vim.api.nvim_get_current_buf()
    return found ~= weather and found
  end)
  check('a flow.toml is made and shown', vim.fs.basename(vim.api.nvim_buf_get_name(manifest)) == 'flow.toml'
    and #vim.fn.win_findbuf(weather) == 1, vim.api.nvim_buf_get_name(manifest))
  check('with a table for the file', session.lines(manifest)[1] == '[tools."weather.flow"]', session.lines(manifest))
  check('and the cursor where the command belongs', vim.fn.getline('.'):sub(1, vim.fn.col('.') - 1) == 'command = "',
    { vim.fn.getline('.'), vim.fn.col('.') })

  -- 3. The question.
  session.answer = 'Always for this command here'
  local before = #session.questions
  vim.api.nvim_feedkeys('i' .. COMMAND, 'x', false)
  check('the command stands there', vim.fn.getline('.') == ('command = "%s"'):format(COMMAND), vim.fn.getline('.'))
  vim.cmd.write()
  session.wait(function() return session.questions[before + 1] end)
  local question = session.questions[before + 1] or { prompt = '', titles = {} }
  check('the question has the whole command', question.prompt:find('The whole command: ' .. COMMAND, 1, true), question)
  check('and its directory', question.prompt:find('in the directory ' .. vim.env.FLOW_TEST_WORKSPACE, 1, true), question)

  -- 4. Both fit.
  check('both fit', shows(weather, { FITS, FITS }), states(weather))
  check('there is nothing to say', has(weather, {}) and has(manifest, {}), { codes(weather), codes(manifest) })
  check('the status line has no unfit Tool', session.wait(function() return status() == 'flow: 2 Tools' end), status())

  -- 5. Drift.
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(weather)[1])
  vim.cmd('%s/days: Int/days: Decimal/')
  vim.cmd.write()
  check('drift is told', has(weather, { 'drift' }), codes(weather))
  local drift = session.diagnostics(weather)[1] or { message = '' }
  check('in words', drift.message:find('parameter `days` is Decimal here and Int there', 1, true), drift)
  check('and by the lens', shows(weather, { FITS, 'drift · ' .. COMMAND }), states(weather))

  -- 6. The generated types.
  fix([[^pub fn forecast]], 'Update generated types in flow_tools.py') -- from anywhere in the line
  local generated = session.buffer('flow_tools.py')
  check('the types are another', session.wait(function() return vim.bo[generated].modified end), session.lines(generated))
  vim.cmd.wall()
  check('both fit again', shows(weather, { FITS, FITS }), states(weather))
  check('and nothing is left to say', has(weather, {}) and has(manifest, {}), codes(weather))

  -- 7. A call.
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(weather)[1])
  session.run_lens(vim.fn.search('fn forecast', 'n') - 1, 'Call')
  local arguments = session.buffer('forecast.flow-call.json')
  check('the arguments are beside the declaration', session.wait(function()
    return vim.api.nvim_get_current_buf() == arguments
  end) and #vim.fn.win_findbuf(weather) == 1)
  session.client(arguments)
  vim.api.nvim_buf_set_lines(arguments, 0, -1, true,
    { '{"place": {"latitude": 52.5, "longitude": 13.4}, "days": 2}' })
  check('they are right', has(arguments, {}), codes(arguments))
  vim.cmd.FlowCall()
  local result = session.buffer('forecast.flow-result.json')
  check('the call came to Ok', session.reads(result, '"Ok": ['), session.lines(result))
  local _, days = table.concat(session.lines(result), '\n'):gsub('"day": ', '')
  check('with two days', days == 2, session.lines(result))
  check('beside the arguments', #vim.fn.win_findbuf(result) == 1 and vim.api.nvim_get_current_buf() == arguments)
  vim.cmd.update()

  local asked = vim.tbl_filter(function(each) return each.prompt:find('wants to run', 1, true) end, session.questions)
  check('consent was asked for once', #asked == 1, asked)
  check('one server did it all', #vim.lsp.get_clients() == 1 and not client:is_stopped())
end)
