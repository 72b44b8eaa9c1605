/** Orders whose number is older than they are have a row of their own in the look-up. */
export const EARLY_KEY = 'early'
