// Generated from ReturnBomb by script/compile.ts: do not edit.
export const returnBombAbi = [
  {
    "stateMutability": "payable",
    "type": "fallback"
  }
] as const

/** Creation code, without constructor arguments. */
export const returnBombBytecode: `0x${string}` = '0x6080604052348015600e575f5ffd5b50600b80601a5f395ff3fe6080604052620f42405ffd'
