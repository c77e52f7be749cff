-- The arguments of an earlier session, opened by themselves; and a root_dir of the user's own.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')
local check = session.check

session.run(function()
  local arguments = vim.api.nvim_get_current_buf()
  local client = session.client(arguments)
  check('the server looks after the folder of the Tool', client.config.root_dir == vim.env.FLOW_TEST_CALLING,
    client.config.root_dir)
  check('the lens is there', session.wait(function()
    return vim.deep_equal(session.lenses(arguments)[1], { 'Call' })
  end), session.lenses(arguments))
  session.run_lens(1, 'Call')
  local result = session.buffer('act.flow-result.json')
  check('and calls', session.reads(result, '{"Ok": "7"}'), session.lines(result))

  -- Other JSON is left alone, also of that name.
  vim.fn.writefile({ '{}' }, 'package.json')
  vim.cmd.edit('package.json')
  local other = vim.api.nvim_get_current_buf()
  vim.fn.mkdir('elsewhere')
  vim.fn.writefile({ '{}' }, 'elsewhere/act.flow-call.json')
  vim.cmd.edit('elsewhere/act.flow-call.json')
  local alike = vim.api.nvim_get_current_buf()
  vim.cmd.edit(vim.fn.fnameescape(vim.env.FLOW_TEST_CALLING .. '/tools.flow'))
  local source = vim.api.nvim_get_current_buf()
  check('one server looks after the file too', session.client(source).id == client.id)
  check('no other JSON is touched', #vim.lsp.get_clients({ bufnr = other }) == 0
    and #vim.lsp.get_clients({ bufnr = alike }) == 0)

  -- A configuration of the user's own, whose root_dir knows nothing of arguments.
  vim.cmd('%bwipeout!')
  client:stop()
  session.wait(function() return client:is_stopped() and #vim.lsp.get_clients() == 0 end)
  local attached = 0
  vim.lsp.config('flow_lsp', {
    on_attach = function() attached = attached + 1 end,
    root_dir = function(buffer, on_dir)
      if vim.bo[buffer].filetype == 'flow' then
        on_dir(vim.fs.dirname(vim.env.FLOW_TEST_CALLING))
      end
    end,
  })
  vim.cmd.edit(vim.fn.fnameescape(vim.env.FLOW_TEST_CALLING .. '/tools.flow'))
  source = vim.api.nvim_get_current_buf()
  client = session.client(source)
  check('the root is the user\'s', client.config.root_dir == vim.fs.dirname(vim.env.FLOW_TEST_CALLING))
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  session.wait(function() return session.lenses(source)[1] end)
  vim.cmd.FlowCall()
  arguments = session.buffer('act.flow-call.json')
  check('the server that opens arguments looks after them',
    vim.iter(vim.lsp.get_clients({ bufnr = arguments })):any(function(each) return each.id == client.id end))
  check('the user\'s on_attach is run too', attached == 2, attached)
  check('and the commands are there', vim.fn.exists(':FlowCancel') == 2)
end)
