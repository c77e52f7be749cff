-- :checkhealth flow_lsp says what is there and what is missing, and there is help.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')
local check = session.check

--- The report; `holds` and `lacks` are texts that it has, and that it has not.
local function report(name, holds, lacks)
  vim.cmd.checkhealth('flow_lsp')
  local text = table.concat(session.lines(0), '\n')
  for _, wanted in ipairs(holds) do
    check(name .. ': ' .. wanted, text:find(wanted, 1, true), text)
  end
  for _, unwanted in ipairs(lacks or {}) do
    check(name .. ', not ' .. unwanted, not text:find(unwanted, 1, true), text)
  end
end

session.run(function()
  local source = vim.api.nvim_get_current_buf()
  local client = session.client(source)
  session.wait(function() return session.questions[1] end)
  local version = client.server_info.version
  report('before anything may run', {
    'OK flow-lsp ' .. version, 'attached to 1 buffer(s)', 'columns in utf-8', "flow.trust is 'ask'",
    '3 Tools: not-checked 2, unbound 1', 'not agreed to: python3 weather_tools.py',
  }, { 'ERROR', 'does not know', 'does not list' })

  session.answer = 'Run once'
  vim.cmd.buffer(source)
  vim.cmd.FlowDescribe()
  session.diagnostic(source, 'drift')
  report('when it was described', { '3 Tools: drift 1, fits 1, unbound 1', 'parameter `days`' },
    { 'ERROR', 'not agreed to' })

  vim.lsp.config('flow_lsp', { cmd = { 'no-such-flow-lsp' }, settings = { flow = { trust = 'always' } } })
  report('a missing program has a remedy', {
    "ERROR 'no-such-flow-lsp' is not on PATH", 'pipx install .', "flow.trust is 'always': every command",
  })

  -- The help, as a plugin manager makes its tags: any fault in it is an error here.
  vim.cmd.helptags('ALL')
  for _, tag in ipairs({ 'flow-lsp', ':FlowCall', ':FlowSchema', ':FlowTools', 'flow-lsp-status', 'g:flow_lsp_enabled' }) do
    local found = pcall(vim.cmd.help, tag)
    local there = found and vim.bo.filetype == 'help' and vim.fn.search('\\*' .. tag .. '\\*', 'cnw') > 0
    check('there is help on ' .. tag, there, vim.api.nvim_buf_get_name(0))
  end
end)
