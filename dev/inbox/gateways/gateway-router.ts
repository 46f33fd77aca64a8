import express, { type Router } from 'express';
import type { GatewayDependencies } from './gateway-message';
import { addInfobip } from './infobip';
import { addVonage } from './vonage';

/** Simulates the parts of the APIs of gateways that the declarations of the service use (messages/gateways). */
export function gatewayRouter(dependencies: GatewayDependencies): Router {
  const router = express.Router({ caseSensitive: true });
  router.use(express.json(), express.urlencoded({ extended: false }));
  addInfobip(router, dependencies);
  addVonage(router, dependencies);
  return router;
}
