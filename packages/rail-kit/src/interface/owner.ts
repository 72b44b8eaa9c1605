// Whose an address is, as far as the installation knows.

/**
 * `service`: a key, a contract, or an address that orders are paid at; `merchant`: money is received there, or was; `payer`: somebody
 * paid from there, or is paid back there, which anybody can say of any address.
 */
export type AddressOwner = 'service' | 'merchant' | 'payer'

/** @param a.address in its chain's canonical form. @returns null: nobody's that is known. */
export type OwnerOf = (a: { chain: string; livemode: boolean; address: string }) => Promise<AddressOwner | null>
