// How orders are told what to ask for: dollars as dollars, anything else with its currency. Pure.

/** @param amount with the currency's digits. */
export const amountFieldsOf = (
  currency: string,
  amount: string,
): { amount_usd: string } | { amount: string; currency: string } =>
  currency === 'USD' ? { amount_usd: amount } : { amount, currency }
