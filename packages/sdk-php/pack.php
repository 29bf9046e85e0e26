<?php

declare(strict_types=1);

// Makes a zip of the package, for Composer's repositories of the type "artifact" or to unpack by hand: php pack.php FOLDER
$folder = $argv[1] ?? '.';
if (!is_dir($folder) && !mkdir($folder, 0777, true)) {
    exit("$folder cannot be made\n");
}
$version = json_decode((string) file_get_contents(__DIR__ . '/composer.json'), true)['version'];
$file = "$folder/parley-sdk-$version.zip";
if (is_file($file)) {
    unlink($file);
}
$zip = new PharData($file, 0, null, Phar::ZIP);
foreach (['LICENSE', 'README.md', 'autoload.php', 'composer.json'] as $name) {
    $zip->addFile(__DIR__ . "/$name", $name);
}
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(__DIR__ . '/src', FilesystemIterator::SKIP_DOTS)) as $one) {
    $zip->addFile($one->getPathname(), substr($one->getPathname(), strlen(__DIR__) + 1));
}
$zip->compressFiles(Phar::GZ);
echo "$file\n";
