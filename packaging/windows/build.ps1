# Build dist\Waymark_Studio-VERSION-windows-x64.zip: a folder that runs from anywhere, without an installation.
#     powershell -ExecutionPolicy Bypass -File packaging\windows\build.ps1
# Needs Python 3.11 or newer as `python`. It was written on Linux and never run.
$ErrorActionPreference = "Stop"
Set-Location (Join-Path $PSScriptRoot "..\..")

function Invoke-Checked([string]$Program, [string[]]$Words) {
    & $Program @Words
    if ($LASTEXITCODE -ne 0) { throw "$Program $Words gave $LASTEXITCODE" }
}

Invoke-Checked python @("packaging\bootstrap.py", "run", "--", "python", "packaging\freeze.py")
$version = (Select-String -Path collector\__init__.py -Pattern '__version__ = "(.+)"').Matches[0].Groups[1].Value
$archive = "dist\Waymark_Studio-$version-windows-x64.zip"
if (Test-Path $archive) { Remove-Item $archive }
Compress-Archive -Path dist\waymark-studio -DestinationPath $archive

# The program of the archive takes the tour, far from the checkout.
$place = Join-Path $env:TEMP "waymark-try"
if (Test-Path $place) { Remove-Item -Recurse -Force $place }
Expand-Archive -Path $archive -DestinationPath $place
Invoke-Checked (Join-Path $place "waymark-studio\waymark.exe") @("demo", "--headless", (Join-Path $place "tour"))
Invoke-Checked python @("packaging\bootstrap.py", "run", "--", "python", "packaging\bundle_tour.py", (Join-Path $place "tour"))
$size = [math]::Round((Get-Item $archive).Length / 1MB)
Write-Output "${archive}: $size MB"
