/** Entry of the workflow bundle. */
export { transaction } from './transaction.workflow';
