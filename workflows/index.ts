/** Entry of the workflow bundle. */
export { imageRetention } from './retention.workflow';
export { transaction } from './transaction.workflow';
