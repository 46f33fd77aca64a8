/** The code of a bureau finding, such as XA001. */
export const bureauCodePattern = /^X[A-Z]\d{3}$/;
