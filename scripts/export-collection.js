'use strict';
// Writes the requests of openapi.json as a collection for Postman, Bruno, Insomnia and Hoppscotch. Needs a build.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { collectionOf } = require('../dist/src/platform/openapi/collection');

const file = join(process.cwd(), 'gala.postman_collection.json');
writeFileSync(file, `${JSON.stringify(collectionOf(require('../openapi.json')), null, 2)}\n`);
console.log(`Wrote ${file}: import it, and set apiKey and baseUrl among the collection's variables.`);
