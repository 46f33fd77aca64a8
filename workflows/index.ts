/** Entry of the workflow bundle. */
export { readiness } from './readiness.workflow';
export { retention } from './retention.workflow';
export { transaction } from './transaction.workflow';
export { webhookDelivery } from './webhook-delivery.workflow';
