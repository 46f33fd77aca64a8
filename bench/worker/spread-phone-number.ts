/**
 * A Brazilian mobile number. Each index gives a different number. Successive indexes give different prefixes (first digits), because the
 * service blocks a prefix that gets many messages before anybody answers.
 */
export const spreadPhoneNumber = (index: number): number => 900_000_000 + ((index * 10_007) % 100_000_000);
