-- Calling a Tool as a person does it: lenses, arguments with a mistake, the outcome, a slow call that is cancelled.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')
local check = session.check

session.run(function()
  local source = vim.api.nvim_get_current_buf()
  session.client(source)
  local shown = session.wait(function()
    local lenses = session.lenses(source)[1]
    return lenses and lenses[1]:find('^fits · ') and lenses
  end)
  check('four lenses are shown at the Tool, in their order', shown and vim.deep_equal({ unpack(shown, 2) },
    { 'Describe again', 'Call', 'Schema' }), session.lenses(source))

  -- The arguments.
  session.run_lens(1, 'Call')
  local arguments = session.buffer('act.flow-call.json')
  check('its lens opens the arguments', arguments and vim.api.nvim_get_current_buf() == arguments,
    vim.api.nvim_buf_get_name(0))
  check('which are JSON', vim.bo[arguments].filetype == 'json', vim.bo[arguments].filetype)
  check('with a member for each parameter', vim.deep_equal(session.lines(arguments),
    { '{', '  "how": "",', '  "value": 0', '}' }), session.lines(arguments))
  local client = session.client(arguments)
  check('the same server looks after them', vim.deep_equal(vim.tbl_keys(client.attached_buffers),
    vim.tbl_keys(vim.lsp.get_clients()[1].attached_buffers)) and #vim.lsp.get_clients() == 1)

  vim.api.nvim_buf_set_lines(arguments, 1, 3, true, { '  "how": "ok",', '  "value": "x"' })
  local wrong = session.diagnostic(arguments, 'argument')
  check('a wrong argument is shown while it is typed', wrong and wrong.line == 3 and
    wrong.message == 'A whole number is expected for Int, and this is a string.', session.diagnostics(arguments))
  local hover = session.hover([["\zsvalue"]])
  check('a hover tells of the parameter', hover and hover:find('value: Int', 1, true), hover)

  vim.api.nvim_buf_set_lines(arguments, 2, 3, true, { '  ' })
  vim.api.nvim_win_set_cursor(0, { 3, 1 })
  local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answer = client:request_sync('textDocument/completion', place, 5000, arguments)
  local offered = answer and answer.result and vim.tbl_map(function(item) return item.label end, answer.result.items)
  check('the parameter that is missing is offered', vim.deep_equal(offered, { 'value' }), offered)
  check('by the keys for completion', vim.bo[arguments].omnifunc == 'v:lua.vim.lsp.omnifunc', vim.bo[arguments].omnifunc)
  vim.api.nvim_buf_set_lines(arguments, 2, 3, true, { '  "value": 7' })
  check('a right argument has no diagnostic', session.wait(function()
    return #session.diagnostics(arguments) == 0
  end), session.diagnostics(arguments))

  -- The call.
  local lens = session.wait(function()
    return vim.deep_equal(session.lenses(arguments)[1], { 'Call' })
  end)
  check('a lens above them calls', lens, session.lenses(arguments))
  session.run_lens(1, 'Call')
  local result = session.buffer('act.flow-result.json')
  check('the outcome is shown beside them', result and session.reads(result, '"outcome": {"Ok": "7"}'),
    result and session.lines(result))
  check('the focus stays', vim.api.nvim_get_current_buf() == arguments, vim.api.nvim_buf_get_name(0))
  check('both are in sight', #vim.fn.win_findbuf(result) == 1 and #vim.fn.win_findbuf(arguments) == 1)
  check('nobody writes into a result', not vim.bo[result].modifiable and not vim.bo[result].modified)
  check('the arguments were not written', vim.bo[arguments].modified)

  -- Again, with another outcome and by the command.
  vim.api.nvim_buf_set_lines(arguments, 1, 2, true, { '  "how": "failed",' })
  vim.cmd.FlowCall()
  check('the next outcome takes its place', session.reads(result, '"outcome": {"Failed": "no luck"}'),
    session.lines(result))
  vim.cmd.sbuffer(result)
  vim.cmd.close()
  vim.api.nvim_set_current_buf(arguments)
  vim.api.nvim_buf_set_lines(arguments, 1, 2, true, { '  "how": "ok",' })
  vim.cmd.FlowCall()
  check('also in a window that was closed', session.reads(result, '{"Ok": "7"}') and #vim.fn.win_findbuf(result) == 1,
    session.lines(result))

  -- A slow one.
  vim.api.nvim_buf_set_lines(arguments, 1, 2, true, { '  "how": "never",' })
  session.run_lens(1, 'Call')
  local running = session.wait(function()
    return vim.deep_equal(session.lenses(arguments)[1], { 'Call', 'Cancel' })
  end)
  check('while it is out it can be cancelled', running, session.lenses(arguments))
  session.wait(function() return session.progress[#session.progress] == 'running' end)
  session.run_lens(1, 'Cancel')
  check('which the result says', session.reads(result, 'The call was cancelled, and no reply came; it had been sent.'),
    session.lines(result))
  check('and the progress', session.progress[#session.progress]:find('^Unknown after '), session.progress)
  check('then there is nothing to cancel', session.wait(function()
    return vim.deep_equal(session.lenses(arguments)[1], { 'Call' })
  end), session.lenses(arguments))

  -- From the file, by a command.
  vim.cmd.write()
  vim.cmd.buffer(source)
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  vim.cmd.FlowCall()
  check(':FlowCall opens the arguments as they were left', session.wait(function()
    return vim.api.nvim_get_current_buf() == arguments
  end) and session.lines(arguments)[2] == '  "how": "never",', session.lines(arguments))
  check('no question was put but that of the lenses', #session.questions > 0 and
    vim.iter(session.questions):all(function(question) return question.prompt == 'Code lenses:' end), session.questions)
end)
