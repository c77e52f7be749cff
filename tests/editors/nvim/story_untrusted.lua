-- A workspace that is bound, and that nobody agreed to: nothing of it is started, whatever is looked at.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')
local check = session.check

session.run(function()
  local weather = vim.api.nvim_get_current_buf()
  session.client(weather)
  check('the question is put', session.wait(function() return session.questions[1] end), session.questions)
  check('the lens says that nothing ran', session.wait(function()
    local _, titles = next(session.lenses(weather))
    return titles and titles[1]:find('^not run: not trusted')
  end), session.lenses(weather))

  -- The page and a call, left without an answer.
  vim.fn.search('fn forecast')
  vim.cmd.FlowSchema()
  session.wait(function() return vim.bo.filetype == 'flowpage' end)
  check('the types can be looked at', session.reads(0, 'record Forecast'), session.lines(0))
  vim.cmd.close()
  vim.cmd.FlowCall()
  local arguments = session.buffer('forecast.flow-call.json')
  session.client(arguments)
  vim.cmd.FlowCall()
  local result = session.buffer('forecast.flow-result.json')
  check('the call says why nothing ran', session.reads(result, '{"NotRun": '), session.lines(result))

  session.answer = 'Never'
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(weather)[1])
  vim.cmd.FlowDescribe()
  session.wait(function() return #session.questions == 3 end)
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(arguments)[1])
  vim.cmd.FlowCall()
  session.wait(function() return #session.questions == 4 end)
  check('a refused call says so', session.reads(result, 'You answered that it never runs here'), session.lines(result))
  local asked = #vim.tbl_filter(function(each) return each.prompt:find('wants to run', 1, true) end, session.questions)
  check('it was asked each time that a person wanted it', asked == 4, session.questions)
  vim.cmd.FlowDoctor()
  session.wait(function() return vim.bo.buftype == 'nofile' end)
end)
