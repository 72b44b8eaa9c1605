// What signs. Loaded by its name when it is needed: no other command pays for it.
export { privateKeyToAddress, signTransaction } from 'viem/accounts'
