/** The code of a finding of a bureau outside, such as XA001. Which of them there are only the bureau knows. */
export const bureauCode = /^X[A-Z]\d{3}$/;
