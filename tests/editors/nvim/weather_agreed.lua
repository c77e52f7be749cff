-- With consent the command runs, which is what the test of its absence is held against.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')

session.answer = 'Run once'
session.run(function()
  local weather = vim.api.nvim_get_current_buf()
  session.client(weather)
  session.check('it was described', session.wait(function()
    local _, titles = next(session.lenses(weather))
    return titles and titles[1]:find('^fits')
  end), session.lenses(weather))
end)
