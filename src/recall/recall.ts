// Public door `continuo/recall`: finding earlier material.
export { createScanRecall } from './scan-recall.ts';
