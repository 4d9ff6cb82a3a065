"""Deployments: manifests and worker command lines, read into settings that keep their places."""

from structag_cli.deployments.model import DeploymentFile, Setting, Worker
from structag_cli.deployments.reading import read_arguments, read_deployment

__all__ = ["DeploymentFile", "Setting", "Worker", "read_arguments", "read_deployment"]
