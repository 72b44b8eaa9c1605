// Names that the provider has for one asset. Pure.

/** Two ids of one coin: the provider may be asked by either and answers with either. */
export const aliases: Readonly<Record<string, string>> = { 'nep141:btc.omft.near': '1cs_v1:btc:native:coin' }

export const sameAssetId = (a: string, b: string): boolean => (aliases[a] ?? a) === (aliases[b] ?? b)
