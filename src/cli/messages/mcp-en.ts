// What is said in English around Continuo's own MCP server and putting it into the settings of other agents.

export const mcpEn = {
  mcpServer: {
    atTerminal:
      'This is an MCP server: it waits for messages of an agent on standard input, and ends with Ctrl-D. To put it into the settings of an agent: continuo mcp install claude',
    giveKey:
      'The MCP server cannot ask for it: in the settings of the agent, add --key-file FILE to its arguments or CONTINUO_PASSPHRASE to its environment.',
    unfit: (flag: string, action: string) => `${flag} means nothing to "continuo mcp ${action}".`,
    serveTakesNone: 'Use it like this: continuo mcp',
  },

  mcpInstall: {
    whichClient: (known: string) => `Say for which agent: ${known}.`,
    unknownClient: (name: string, known: string) => `There is no agent "${name}" here. Choose one of: ${known}.`,
    noProjectScope: (client: string) => `${client} has no settings of its own in a project. Leave --scope project out.`,
    file: (path: string) => `File: ${path}`,
    willAdd: 'This will be added:',
    willReplace: 'This will take the place of the entry "continuo":',
    willTakeOut: 'The entry "continuo" will be taken out.',
    willGiveBack: (copy: string) => `The file will be again what it was before (${copy}).`,
    willRestore: (copy: string) => `The entry "continuo" that was there before will be put back (from ${copy}).`,
    willRemoveFile: 'The file will be removed: it holds nothing but the entry "continuo".',
    question: (path: string) => `Change ${path}? [y/N]`,
    needsYes:
      'Nothing was done, because nobody could be asked. Run it again with --yes, or see what it would write with --print.',
    declined: 'Nothing was done.',
    installed: (client: string, path: string) => `${client} will start Continuo as an MCP server (${path}).`,
    present: (client: string, path: string) => `${client} starts Continuo already (${path}). Nothing was changed.`,
    takenOut: (client: string, path: string) => `${client} will not start Continuo any more (${path}).`,
    restored: (client: string, path: string) =>
      `The entry "continuo" that ${client} had before is back (${path}). To take that out too, run it again.`,
    copyStays: (path: string) => `A copy of what the file held before stays in ${path}. Remove it when you do not need it.`,
    leftInCopy: (path: string) =>
      `The entry "continuo" that was there before cannot be put back, because the file has changed since. It is in ${path}: copy it from there by hand.`,
    absent: (client: string, path: string) => `There is no entry "continuo" for ${client} (${path}). Nothing was changed.`,
    backup: (path: string) => `What the file held before is in ${path}. Undo with --undo.`,
    check: (how: string) => `Check it: ${how}`,
    allow: (how: string) => `To let it be used without being asked: ${how}`,
    restart: 'Restart the agent if it is running.',
    passphrase:
      'The store is encrypted: the server needs CONTINUO_PASSPHRASE in its environment. It was not written down; add it to the entry yourself, or use a key file.',
    notParsed: (reason: string) => `this cannot be read, so it was left as it is (${reason})`,
    mistakes: {
      rest: 'there is something after the end',
      comment: 'a comment has no end',
      depth: 'it is nested too deeply',
      comma: 'a comma or the end of a list is missing',
      name: 'a name in quotes is missing',
      colon: 'a colon is missing',
      value: 'it is not JSON',
      object: 'there is no object',
    },
    notText: 'it is not UTF-8 text',
    notAnObject: (name: string) => `"${name}" is not an object`,
    notEditable:
      'the file is right, but "continuo" would have to stand in a form that is not changed automatically (such as an inline table or dotted keys), so it was left as it is.',
    addByHand: (table: string, line: string) => `By hand, in ${table}: ${line}`,
    takeOutByHand: (table: string) => `Take "continuo" out of ${table} by hand.`,
    noKeyFile: (path: string) =>
      `There is no key file ${path}, and the server would not start without it. Name the one of the store, or leave --key-file out.`,
    changed: 'it was changed by somebody else in this moment; try again',
    continueCli: 'The command line cn reads config.yaml alone. Add this there:',
    piAdapter: 'pi needs the extension pi-mcp-adapter for this.',
  },
};
