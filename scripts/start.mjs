// npm start: whatever is missing is installed and built, then continuo runs with the arguments after "--".
import './support/require-node.mjs';

// Not a static import: an old Node.js would fail to read the rest before it could be told what is wrong.
void import('./support/launch.mjs').then((module) => module.launch());
