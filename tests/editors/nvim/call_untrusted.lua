-- A call where nothing may run yet: the question, and what is said when the answer is no.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')
local check = session.check

local function asked()
  return #vim.tbl_filter(function(question)
    return question.prompt:find('calling_child.py', 1, true)
  end, session.questions)
end

session.run(function()
  local source = vim.api.nvim_get_current_buf()
  session.client(source)
  session.wait(function() return asked() == 1 end)
  check('the lens says that it was not run', session.wait(function()
    local lenses = session.lenses(source)[1]
    return lenses and lenses[1]:find('^not run: not trusted · ')
  end), session.lenses(source))

  session.run_lens(1, 'Call')
  local arguments = session.buffer('act.flow-call.json')
  vim.api.nvim_buf_set_lines(arguments, 1, 2, true, { '  "how": "ok",' })
  session.answer = nil -- the chooser is left without a choice
  vim.cmd.FlowCall()
  local result = session.buffer('act.flow-result.json')
  check('a call asks again', asked() == 2, session.questions)
  check('and says why nothing ran', session.reads(result, '{"NotRun": "It waits for your consent'),
    session.lines(result))
  check('nothing did', vim.fn.filereadable('starts') == 0)

  session.answer = 'Run once'
  vim.cmd.FlowCall()
  check('with consent it runs', session.reads(result, '{"Ok": "0"}'), session.lines(result))
  check('once asked', asked() == 3, session.questions)
  vim.cmd.FlowCall()
  check('for the whole session', session.wait(function()
    return vim.fn.getfsize('starts') > 0 and session.lenses(arguments)[1] and asked() == 3
  end), session.questions)
end)
