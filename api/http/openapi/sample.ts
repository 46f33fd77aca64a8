/** Ids that the examples of the OpenAPI document share, so that together they show one transaction. */
export const sample = {
  transactionId: '0198c5e2-7a10-7c3e-9b1f-2d4e6f8a0b1c',
  runId: '0198c5e2-9f44-7d21-8a6b-5c7d9e1f3a2b',
  biometricsId: '4f1d2c3b-6a5e-4d7f-8c9b-0a1b2c3d4e5f',
  confirmationId: 'e0b7a6c5-d4f3-4e2a-9b18-7c6d5e4f3a2b',
  document: '52998224725',
} as const;
