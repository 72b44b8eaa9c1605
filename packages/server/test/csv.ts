// Reading CSV as RFC 4180 describes it, for tests of what we write: strict, so a slip of the writer is an error.

export function readCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? quoted(text, at) : plain(text, at)
    record.push(cell)
    if (text[end] === ',') {
      at = end + 1
      // A comma at the very end would mean one more empty cell and then no line end.
      if (at === text.length) throw new Error('the file ends in the middle of a record')
      continue
    }
    if (text.slice(end, end + 2) !== '\r\n') throw new Error(`no line end at ${end}`)
    records.push(record)
    record = []
    at = end + 2
  }
  return records
}

function plain(text: string, at: number): [cell: string, end: number] {
  const length = text.slice(at).search(/[,"\r\n]/)
  if (length === -1) throw new Error('the file does not end with a line end')
  return [text.slice(at, at + length), at + length]
}

function quoted(text: string, at: number): [cell: string, end: number] {
  let cell = ''
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote === -1) throw new Error('a quoted cell does not end')
    cell += text.slice(from, quote)
    if (text[quote + 1] !== '"') return [cell, quote + 1]
    cell += '"'
    from = quote + 2
  }
}
