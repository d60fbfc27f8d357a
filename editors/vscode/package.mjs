// Packs the extension into one file that VS Code installs: `node editors/vscode/package.mjs [FOLDER]`.
// The same sources give the same bytes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateRawSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const about = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const FILES = ["package.json", "extension.js", "preview.js", "language-configuration.json", "syntaxes/gdl.tmLanguage.json", "README.md"];

const manifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${about.name}" Version="${about.version}" Publisher="${about.publisher}" />
    <DisplayName>${about.displayName}</DisplayName>
    <Description xml:space="preserve">${about.description}</Description>
    <Categories>${about.categories.join(",")}</Categories>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="${about.engines.vscode}" /></Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code" /></Installation>
  <Dependencies />
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" /></Assets>
</PackageManifest>
`;
const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="json" ContentType="application/json" /><Default Extension="js" ContentType="application/javascript" /><Default Extension="md" ContentType="text/markdown" /><Default Extension="vsixmanifest" ContentType="text/xml" /></Types>
`;

/** A zip of some files, without times. */
export function zip(files) {
  const [bodies, directory] = [[], []];
  let at = 0;
  for (const [name, bytes] of files) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(bytes, { level: 9 });
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt16LE(0x21, 8);
    head.writeUInt32LE(crc32(bytes), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(bytes.length, 18);
    head.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), head, path, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), head, tail, path]));
    bodies.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...bodies, listed, Buffer.from("PK\x05\x06", "latin1"), end]);
}

export function pack(folder) {
  const read = (name) => [`extension/${name}`, readFileSync(join(here, name))];
  const files = [["[Content_Types].xml", Buffer.from(types)], ["extension.vsixmanifest", Buffer.from(manifest)], ...FILES.map(read)];
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${about.name}-${about.version}.vsix`);
  writeFileSync(path, zip(files));
  return path;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(pack(resolve(process.argv[2] ?? join(here, "../../target"))));
