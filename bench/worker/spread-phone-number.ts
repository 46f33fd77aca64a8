/**
 * A Brazilian mobile number for each index, all different. Neighbors have other prefixes, because the service blocks a prefix whose
 * messages nobody has answered yet.
 */
export const spreadPhoneNumber = (index: number): number => 900_000_000 + ((index * 10_007) % 100_000_000);
