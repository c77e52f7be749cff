-- A chooser that shows but a title: the whole question stands above it while it is open, and no longer.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')
local check = session.check

local function floating()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative == 'editor' then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
    end
  end
end

session.run(function()
  session.client(vim.api.nvim_get_current_buf())
  local choose
  vim.ui.select = function(items, _, chosen)
    choose = function() chosen(items[3]) end
  end
  vim.cmd.FlowDescribe()
  local asked = session.wait(function() return choose end)
  local text = floating() or ''
  check('the whole question is to be read', text:find('The whole command: python3 weather_tools.py', 1, true)
    and text:find('in the directory ' .. vim.env.FLOW_TEST_WORKSPACE, 1, true), text)
  if asked then
    asked()
  end
  check('until it is answered', session.wait(function() return not floating() end), floating())
end)
