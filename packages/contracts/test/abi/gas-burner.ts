// Generated from GasBurner by script/compile.ts: do not edit.
export const gasBurnerAbi = [
  {
    "stateMutability": "payable",
    "type": "receive"
  }
] as const

/** Creation code, without constructor arguments. */
export const gasBurnerBytecode: `0x${string}` = '0x6080604052348015600e575f5ffd5b50601180601a5f395ff3fe608060405236600d575b6009565b5f5ffd'
