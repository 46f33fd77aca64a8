/** The code of a bureau finding, such as XA001. */
export const bureauCode = /^X[A-Z]\d{3}$/;
