/**
 * How many opt-outs a tenant can release in a day. For each, a person must have given consent to somebody, who then releases it by hand. More
 * would be a program that overrides what persons have asked for.
 */
export const optOutReleasesPerDay = 20;
