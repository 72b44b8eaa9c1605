// What rails are called before merchants. Pure.
const names: Readonly<Record<string, string>> = {
  forwarder: 'Forwarder',
  utxo: 'your wallet',
  intents: 'NEAR Intents',
  sandbox: 'sandbox',
}

export const railName = (rail: string): string => names[rail] ?? rail
