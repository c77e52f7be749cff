-- The documents about a Tool: shown, coloured, and as the declaration is by now.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')
local check = session.check

session.run(function()
  local source = vim.api.nvim_get_current_buf()
  session.client(source)
  local ready = function(title)
    return session.wait(function()
      return vim.tbl_contains(session.lenses(source)[1] or {}, title)
    end)
  end
  ready('Schema')
  session.run_lens(1, 'Schema')
  local text = session.wait(function()
    local found = vim.api.nvim_get_current_buf()
    return found ~= source and found
  end)
  check('the schemas are shown', session.reads(text, '"how"'), session.lines(text))
  vim.cmd.buffer(source)
  vim.api.nvim_buf_set_lines(source, 1, 2, true, { 'pub fn act(why: Text, value: Int) -> Result<Text, Text>' })
  ready('What changed')
  session.run_lens(1, 'Schema')
  check('as the declaration is by now', session.reads(text, '"why"'), session.lines(text))

  vim.cmd.buffer(source)
  session.run_lens(1, 'What changed')
  local texts = session.wait(function()
    local found = vim.tbl_filter(function(buffer)
      return vim.endswith(vim.api.nvim_buf_get_name(buffer), '.flow-text') and vim.api.nvim_buf_is_loaded(buffer)
    end, vim.api.nvim_list_bufs())
    return #found == 2 and found
  end)
  check('both signatures are shown', texts and #vim.fn.win_findbuf(texts[1]) == 1 and #vim.fn.win_findbuf(texts[2]) == 1)
  check('and coloured', texts and session.wait(function()
    return vim.bo[texts[1]].syntax == 'flow' and vim.bo[texts[2]].syntax == 'flow'
  end), texts)
  check('no server is started for them', #vim.lsp.get_clients() == 1)
end)
