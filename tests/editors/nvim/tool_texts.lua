-- What is shown of a Tool: its page, its schemas, and what changed; each as the declaration is by now.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')
local check = session.check

--- The buffer that is entered next, once it is another than `old`.
local function entered(old)
  return session.wait(function()
    local found = vim.api.nvim_get_current_buf()
    return found ~= old and found
  end)
end

session.run(function()
  local source = vim.api.nvim_get_current_buf()
  session.client(source)
  local window = vim.api.nvim_get_current_win()
  local ready = function(title)
    return session.wait(function()
      return vim.tbl_contains(session.lenses(source)[1] or {}, title)
    end)
  end

  -- The page.
  ready('Schema')
  session.run_lens(1, 'Schema')
  local page = entered(source)
  check('the page of the Tool is shown', session.lines(page)[1] == '# act', session.lines(page))
  check('with its declaration', session.reads(page, 'fn act(how: Text, value: Int)'), session.lines(page))
  local row = vim.fn.search([[\<Text\>]], 'cnw')
  check('coloured as Flow', vim.fn.synIDattr(vim.fn.synID(row, vim.fn.match(vim.fn.getline(row), 'Text') + 1, 1), 'name')
    == 'flowType', vim.fn.getline(row))
  check('it is no file, and nobody writes into it', vim.bo[page].buftype == 'nofile' and not vim.bo[page].modifiable)
  check('the file stays in sight', vim.api.nvim_win_is_valid(window) and vim.api.nvim_win_get_buf(window) == source)

  -- Its declaration, from its heading.
  vim.fn.search('^## act')
  vim.cmd.normal('gd')
  check('a heading leads to the declaration', vim.api.nvim_get_current_win() == window
    and vim.fn.expand('<cword>') == 'act' and vim.fn.line('.') == 2, vim.fn.line('.'))

  -- The page again, of the declaration as it is by now.
  vim.api.nvim_buf_set_lines(source, 1, 2, true, { 'pub fn act(why: Text, value: Int) -> Result<Text, Text>' })
  ready('What changed')
  vim.cmd.FlowSchema()
  check('it is as the declaration is by now, in the same window', session.reads(page, 'fn act(why: Text, value: Int)')
    and #vim.fn.win_findbuf(page) == 1 and session.wait(function() return vim.api.nvim_get_current_buf() == page end),
    session.lines(page))

  -- The schemas as they are.
  vim.cmd.normal('gj')
  local text = entered(page)
  check('the schemas are shown', session.reads(text, '"why"') and vim.bo[text].filetype == 'json', session.lines(text))
  vim.api.nvim_buf_delete(text, {})
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(page)[1])
  vim.cmd.normal('q')
  check('a key closes the page', not vim.api.nvim_buf_is_valid(page))

  -- What changed.
  vim.api.nvim_set_current_win(window)
  session.run_lens(1, 'What changed')
  local tab = session.wait(function()
    return vim.fn.tabpagenr('$') == 2 and #vim.api.nvim_tabpage_list_wins(0) == 2 and vim.api.nvim_get_current_tabpage()
  end)
  local windows = vim.api.nvim_tabpage_list_wins(tab)
  local names = vim.tbl_map(function(each)
    return vim.fs.basename(vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(each)))
  end, windows)
  check('what is declared and what is served stand side by side', vim.deep_equal(names,
    { 'act.declared.flow-text', 'act.served.flow-text' }), names)
  check('as a difference', vim.wo[windows[1]].diff and vim.wo[windows[2]].diff)
  local declared = vim.api.nvim_win_get_buf(windows[1])
  check('in its colours', vim.bo[declared].syntax == 'flow', vim.bo[declared].syntax)
  check('nobody writes into them', not vim.bo[declared].modifiable)
  check('no server is started for them', #vim.lsp.get_clients() == 1)
  vim.cmd.tabfirst()
  vim.cmd.FlowChanges()
  check('asked for again, the same is shown', session.wait(function()
    return vim.api.nvim_get_current_tabpage() == tab
  end) and vim.fn.tabpagenr('$') == 2)
  vim.cmd.normal('q')
  check('a key closes the difference', vim.fn.tabpagenr('$') == 1 and vim.api.nvim_get_current_buf() == source)

  -- The list.
  vim.cmd.FlowTools()
  local listed = session.wait(function() return vim.fn.getqflist()[1] end)
  check('the Tool that does not fit is listed', listed and listed.lnum == 2 and listed.text:find('`act`', 1, true), listed)
  check('with its name for the cursor', listed and listed.col == 8, listed)

  -- The status line.
  local status = require('flow_lsp').status
  check('a status line says so', session.wait(function() return status(source) == 'flow: 1 unfit' end), status(source))
  check('and nothing elsewhere', status() == '', status())

  -- What a workspace calls its programs is text, and no item of a status line.
  local drawn
  vim.api.nvim_create_autocmd('User', { pattern = 'FlowToolsChanged', callback = function() drawn = true end })
  local client = session.client(source)
  require('flow_lsp.tools').changed(nil, { tools = 1, unfit = 0, doing = 'Asking %{execute("let g:ran = 1")}\nnow' },
    { client_id = client.id })
  check('status lines are drawn again', session.wait(function() return drawn end))
  local shown = vim.api.nvim_eval_statusline(status(source), {}).str
  check('with what the server is doing, as it is', shown == 'flow: Asking %{execute("let g:ran = 1")} now'
    and vim.g.ran == nil, shown)
end)
